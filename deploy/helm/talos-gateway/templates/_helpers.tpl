{{/* Name of everything in a release; short enough for what is added to it. */}}
{{- define "talos.name" -}}
{{- if contains "talos-gateway" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-talos-gateway" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* By what the pods of a release are found. The alert rules want the job to be called talos-gateway. */}}
{{- define "talos.selector" -}}
app.kubernetes.io/name: talos-gateway
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "talos.labels" -}}
{{ include "talos.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "talos.secret" -}}
{{ .Values.secrets.existingSecret | default (include "talos.name" .) }}
{{- end }}

{{/* Whether the ports for clients are there: plain HTTP, and TLS. */}}
{{- define "talos.plain" -}}
{{ ne (toString (index .Values.config "http.enabled")) "false" }}
{{- end }}
{{- define "talos.tls" -}}
{{ or (hasKey .Values.config "tls.certificate") (hasKey .Values.config "tls.key-store") }}
{{- end }}
{{- define "talos.opsScheme" -}}
{{ eq (toString (index .Values.config "ops.tls")) "true" | ternary "https" "http" }}
{{- end }}

{{- define "talos.properties" -}}
data.directory=/var/lib/talos-gateway
http.host=0.0.0.0
ops.host=0.0.0.0
peer.host=0.0.0.0
zookeeper.auth=@/etc/talos-gateway/secrets/zookeeper
peer.secret=@/etc/talos-gateway/secrets/peer
auth.key-file=/etc/talos-gateway/secrets/keys.json
auth.key-encryption-secret=@/etc/talos-gateway/secrets/key-encryption
{{- range $key, $value := .Values.config }}
{{ $key }}={{ $value }}
{{- end }}
{{- end }}
