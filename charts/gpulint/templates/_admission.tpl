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

{{/* A word in any place of a pod template that a rule reads. A claim or a node affinity counts without looking into it. */}}
{{- define "gpulint.wordCondition" -}}
{{- $has := printf ".matches(%s)" (include "gpulint.wordPattern" . | toJson) -}}
[request.kind.kind == "Pod" ? object : request.kind.kind == "CronJob" ? object.spec.jobTemplate.spec.template : object.spec.template].exists(t,
  (has(object.metadata.annotations) && object.metadata.annotations.exists(k, k{{ $has }})) ||
  (has(t.metadata) && has(t.metadata.annotations) && t.metadata.annotations.exists(k, k{{ $has }})) ||
  [t.spec].exists(s,
    has(s.resourceClaims) ||
    (has(s.affinity) && has(s.affinity.nodeAffinity)) ||
    (has(s.runtimeClassName) && s.runtimeClassName{{ $has }}) ||
    (has(s.nodeSelector) && s.nodeSelector.exists(k, k{{ $has }})) ||
    (has(s.tolerations) && s.tolerations.exists(e, has(e.key) && e.key{{ $has }})) ||
    (has(s.volumes) && s.volumes.exists(v, has(v.hostPath) && v.hostPath.path{{ $has }})) ||
    (s.containers + (has(s.initContainers) ? s.initContainers : []) + (has(s.ephemeralContainers) ? s.ephemeralContainers : [])).exists(c,
      (has(c.image) && c.image{{ $has }}) ||
      (has(c.command) && c.command.exists(w, w{{ $has }})) ||
      (has(c.args) && c.args.exists(w, w{{ $has }})) ||
      (has(c.env) && c.env.exists(e, e.name{{ $has }} || (has(e.value) && e.value{{ $has }}))) ||
      (has(c.volumeMounts) && c.volumeMounts.exists(m, m.mountPath{{ $has }})) ||
      (has(c.resources) && (
        has(c.resources.claims) ||
        (has(c.resources.limits) && c.resources.limits.exists(k, k{{ $has }})) ||
        (has(c.resources.requests) && c.resources.requests.exists(k, k{{ $has }})))))))
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
{{- range .Values.resources }}
- apiGroups: {{ toJson .apiGroups }}
  apiVersions: {{ toJson .apiVersions }}
  operations: [CREATE, UPDATE]
  resources: {{ toJson .resources }}
  scope: "*"
{{- end }}
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
