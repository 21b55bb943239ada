{{- define "gpulint.namespaceSelector" -}}
{{- $expressions := list (dict "key" "kubernetes.io/metadata.name" "operator" "NotIn"
      "values" (concat .Values.excludedNamespaces (list .Release.Namespace) | uniq)) -}}
{{- $expressions = concat $expressions (default list .Values.namespaceSelector.matchExpressions) -}}
{{- $selector := dict "matchExpressions" $expressions -}}
{{- with .Values.namespaceSelector.matchLabels }}{{ $_ := set $selector "matchLabels" . }}{{ end -}}
{{- toYaml $selector -}}
{{- end -}}

{{/* One regular expression (RE2) for all words: those of the table, and those that the configuration adds to it. */}}
{{- define "gpulint.wordPattern" -}}
{{- $words := .Values.prefilter.words -}}
{{- range (default list .Values.config.accelerators) -}}
{{- $words = append $words (.resource | trimSuffix "*" | regexQuoteMeta) -}}
{{- end -}}
{{- if kindIs "map" .Values.config.cluster -}}
{{- range (default list .Values.config.cluster.taints) }}{{ $words = append $words (.key | regexQuoteMeta) }}{{ end -}}
{{- else if .Values.config.cluster -}}
{{- range regexFindAll "taint:[^=:+]+" .Values.config.cluster -1 }}{{ $words = append $words (trimPrefix "taint:" . | regexQuoteMeta) }}{{ end -}}
{{- end -}}
{{- printf "(?i)%s" (join "|" ($words | uniq)) -}}
{{- end -}}

{{/* The places of a pod template that a rule reads, as lists of texts, one of which has to hold a word. Claims and node affinities count
without looking into them. */}}
{{- define "gpulint.wordCondition" -}}
[request.kind.kind == "Pod" ? object : request.kind.kind == "CronJob" ? object.spec.jobTemplate.spec.template : object.spec.template].exists(t,
  has(t.spec.resourceClaims) || (has(t.spec.affinity) && has(t.spec.affinity.nodeAffinity)) || (
    [
      has(object.metadata.annotations) ? object.metadata.annotations.map(k, k) : [],
      has(t.metadata) && has(t.metadata.annotations) ? t.metadata.annotations.map(k, k) : [],
      has(t.spec.runtimeClassName) ? [t.spec.runtimeClassName] : [],
      has(t.spec.schedulerName) ? [t.spec.schedulerName] : [],
      has(t.spec.nodeSelector) ? t.spec.nodeSelector.map(k, k) : [],
      has(t.spec.tolerations) ? t.spec.tolerations.map(e, has(e.key) ? e.key : "") : [],
      has(t.spec.volumes) ? t.spec.volumes.map(v, has(v.hostPath) ? v.hostPath.path : "") : []
    ] + (
      t.spec.containers + (has(t.spec.initContainers) ? t.spec.initContainers : []) + (has(t.spec.ephemeralContainers) ? t.spec.ephemeralContainers : [])
    ).map(c,
      [has(c.image) ? c.image : ""] +
      (has(c.command) ? c.command : []) +
      (has(c.args) ? c.args : []) +
      (has(c.env) ? c.env.map(e, e.name) + c.env.map(e, has(e.value) ? e.value : "") : []) +
      (has(c.volumeMounts) ? c.volumeMounts.map(m, m.mountPath) : []) +
      (has(c.resources) && has(c.resources.limits) ? c.resources.limits.map(k, k) : []) +
      (has(c.resources) && has(c.resources.requests) ? c.resources.requests.map(k, k) : []))
  ).exists(texts, texts.exists(text, text.matches({{ include "gpulint.wordPattern" . | toJson }}))))
{{- end -}}

{{/* Of built-in workloads. The webhook itself decides the same way; the API server only saves the call. */}}
{{- define "gpulint.workloadConditions" -}}
- name: not-by-a-node
  expression: '!("system:nodes" in request.userInfo.groups)'
- name: not-made-by-a-built-in-controller
  expression: >-
    !(request.userInfo.username.startsWith("system:serviceaccount:kube-system:") && has(object.metadata.ownerReferences) &&
    object.metadata.ownerReferences.exists(o, has(o.controller) && o.controller && o.apiVersion in ["apps/v1", "batch/v1", "v1"]))
- name: template-may-have-changed
  expression: request.operation != "UPDATE" || object.spec != oldObject.spec
{{- if .Values.prefilter.enabled }}
- name: holds-a-gpu-word
  expression: |-
    {{- include "gpulint.wordCondition" . | nindent 4 }}
{{- end }}
{{- with .Values.matchConditions }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "gpulint.workloadRules" -}}
- {apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments, replicasets, statefulsets, daemonsets], scope: Namespaced}
- {apiGroups: [batch], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [jobs, cronjobs], scope: Namespaced}
- {apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [replicationcontrollers], scope: Namespaced}
{{- end -}}

{{- define "gpulint.resourceRules" -}}
{{- $rules := list -}}
{{- range .Values.resources -}}
{{- $rules = append $rules (dict "apiGroups" .apiGroups "apiVersions" .apiVersions "resources" .resources "operations" (list "CREATE" "UPDATE") "scope" "*") -}}
{{- end -}}
{{- toYaml $rules -}}
{{- end -}}

{{- define "gpulint.configurationAnnotations" -}}
{{- $annotations := default dict .own -}}
{{- if eq .root.Values.certificate.mode "certManager" -}}
{{- $from := printf "%s/%s" .root.Release.Namespace (include "gpulint.secretName" .root) -}}
{{- $annotations = merge (dict "cert-manager.io/inject-ca-from" $from) $annotations -}}
{{- end -}}
{{- with $annotations -}}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end -}}
{{- end -}}

{{/* One entry. cert-manager writes caBundle itself: a value here would be taken for a change by whoever compares. */}}
{{- define "gpulint.webhook" -}}
- name: {{ .name }}
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: {{ .settings.failurePolicy }}
  timeoutSeconds: {{ .settings.timeoutSeconds }}
  matchPolicy: Equivalent
  {{- with .settings.reinvocationPolicy }}
  reinvocationPolicy: {{ . }}
  {{- end }}
  clientConfig:
    service:
      name: {{ include "gpulint.fullname" .root }}
      namespace: {{ .root.Release.Namespace }}
      path: {{ .path }}
      port: 443
    {{- with .caBundle }}
    caBundle: {{ . }}
    {{- end }}
  namespaceSelector:
    {{- include "gpulint.namespaceSelector" .root | nindent 4 }}
  {{- with .root.Values.objectSelector }}
  objectSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if .workloads }}
  rules:
    {{- include "gpulint.workloadRules" .root | nindent 4 }}
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: {{ toJson .pods }}, scope: Namespaced}
  matchConditions:
    {{- include "gpulint.workloadConditions" .root | nindent 4 }}
  {{- else }}
  rules:
    {{- include "gpulint.resourceRules" .root | nindent 4 }}
  {{- with .root.Values.matchConditions }}
  matchConditions:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
{{- end -}}
