<#-- THIRD-PARTY.txt: one line for each library, as Maven knows it. -->
Libraries in lib/, with the licences that they name. Where several are named, one of them may be chosen, unless the
library says otherwise. hadoop-client-runtime and some others have further libraries inside: docs/dependencies.md.

<#list dependencyMap as entry>
<#assign library = entry.getKey()/>
<#assign licences = entry.getValue()/>
${library.groupId}:${library.artifactId}:${library.version}
<#list licences as licence>
    ${licence}
</#list>
</#list>
