export { type AskerGroup, askerName, groupByAsker, questionCount, type RunGroup } from './approval/askers.ts';
export {
  type Asker,
  actionsOf,
  type CallOutcome,
  type Interaction,
  type InteractionKind,
  type InteractionQuery,
  type InteractionStatus,
  outcomeSentence,
  type PendingInteraction,
  type Resolution,
  type ResolutionAction,
  type ResolutionOfSeveral,
  type ResolvedSeveral,
  wasNotSent,
} from './approval/interaction.ts';
export {
  decisionWords,
  type ExplainPolicy,
  type NewPolicy,
  type Policy,
  type PolicyChange,
  type PolicyCondition,
  type PolicyDecision,
  type PolicyExplanation,
  PolicyPattern,
  type PolicyScope,
  type SavedPolicy,
} from './approval/policy.ts';
export { type ErrorCode, ExecutorError, toExecutorError } from './error/error.ts';
export { ErrorBody, fromErrorBody, toErrorBody } from './error/error-body.ts';
export { describeIssues, issueSentence } from './error/issue-sentence.ts';
export type { ExecutionEvent, WorkspaceEvent } from './execution/event.ts';
export {
  type Call,
  type Diagnostic,
  type Execution,
  type ExecutionError,
  type ExecutionLimits,
  type ExecutionQuery,
  type ExecutionStatus,
  type ExecutionSummary,
  type ExecutionUsage,
  generatedKeyMark,
  isFinished,
  type LogLine,
  maxWaitMs,
  NewExecution,
  type Omission,
  type ReplayReport,
  type UnawaitedCall,
} from './execution/execution.ts';
export type { Worker } from './execution/worker.ts';
export type { ApiKey, CreatedApiKey } from './identity/api-key.ts';
export { browserName } from './identity/browser-name.ts';
export { type Presence, type PresenceChange, presenceHeader } from './identity/presence.ts';
export type { Me, Principal, PrincipalKind } from './identity/principal.ts';
export {
  maxNonces,
  nonceHeader,
  type ProvenRequest,
  proofHeader,
  proofMessage,
  type RequestProof,
  readProof,
  writeProof,
} from './identity/request-proof.ts';
export type { SessionKey, SessionSummary } from './identity/session.ts';
export {
  diskReserve,
  type LimitChanges,
  limitNames,
  limitsOf,
  type ResourceLimits,
  type ResourceName,
  resourceTable,
  type StoredResourceName,
  sharesOf,
  storedTable,
} from './resource/limits.ts';
export type { ResourceUsage } from './resource/usage.ts';
export type { PageQuery } from './route/list.ts';
export { openApiDocument } from './route/openapi.ts';
export {
  type Bytes,
  type ParsedInput,
  pathParams,
  type Route,
  type RouteInput,
  type RouteOutput,
  successStatus,
  waitMsOf,
} from './route/route.ts';
export { type Health, type Routes, routeRows, routes } from './route/routes.ts';
export type {
  AuthScheme,
  Confidence,
  DetectedSource,
  FoundSource,
  SourceProbe,
} from './source/detected-source.ts';
export { DocumentFiles, maxDocumentChars } from './source/kinds/fields.ts';
export { GoogleSettings } from './source/kinds/google.ts';
export { GraphQlSettings } from './source/kinds/graphql.ts';
export { McpSettings } from './source/kinds/mcp.ts';
export { Namespace, type SourceApproval } from './source/kinds/new-source-fields.ts';
export { OpenApiSettings } from './source/kinds/openapi.ts';
export { requireSettings } from './source/kinds/require-settings.ts';
export { type SourceKind, sourceKinds } from './source/kinds/source-kinds.ts';
export { NewSource, type SourceChange } from './source/new-source.ts';
export { Provider, Providers } from './source/provider.ts';
export { seedSource } from './source/seed-source.ts';
export type {
  AffectedRule,
  ChangedSource,
  Source,
  SourceProblem,
  SourceProgress,
  SourceRefresh,
} from './source/source.ts';
export { ClientCertificate, SourceAuth } from './source/source-auth.ts';
export type { DiscoveredTools, Tool, ToolAuth, ToolQuery, ToolSummary } from './source/tool.ts';
export { DisplayName } from './text/display-name.ts';
export { nearest } from './text/nearest.ts';
export { printable, type TextPart, textParts } from './text/printable.ts';
export type { AuditEntry } from './workspace/audit.ts';
export type { Settings, SettingsChange } from './workspace/settings.ts';
