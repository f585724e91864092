<#-- THIRD-PARTY.txt: each library of others, with the licences that its POM names. -->
Libraries in lib/, with the licences that they name. Where several are named, one of them may be chosen, unless the
library says otherwise. hadoop-client-runtime and some others have further libraries inside: docs/dependencies.md.

<#list dependencyMap as entry>
<#assign library = entry.getKey()/>
<#if library.groupId != "io.talosgateway">
${library.groupId}:${library.artifactId}:${library.version}
<#list entry.getValue() as licence>
    ${licence}
</#list>
</#if>
</#list>
