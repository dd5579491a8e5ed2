export type { ApiKey, CreatedApiKey } from './api-key.ts';
export type { AuditEntry } from './audit.ts';
export { DisplayName } from './display-name.ts';
export { type ErrorCode, ExecutorError, toExecutorError } from './error.ts';
export { ErrorBody, fromErrorBody, toErrorBody } from './error-body.ts';
export type { ExecutionEvent, WorkspaceEvent } from './event.ts';
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
  isFinished,
  type LogLine,
  maxWaitMs,
  NewExecution,
  type Omission,
  type ReplayReport,
} from './execution.ts';
export type { Health } from './health.ts';
export {
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
} from './interaction.ts';
export { describeIssues, issueSentence } from './issue-sentence.ts';
export type { PageQuery } from './list.ts';
export { nearest } from './nearest.ts';
export { openApiDocument } from './openapi.ts';
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
} from './policy.ts';
export { type Presence, type PresenceChange, presenceHeader } from './presence.ts';
export type { Me, Principal, PrincipalKind } from './principal.ts';
export { printable, type TextPart, textParts } from './printable.ts';
export {
  type Bytes,
  type ParsedInput,
  pathParams,
  type Route,
  type RouteInput,
  type RouteOutput,
  successStatus,
  waitMsOf,
} from './route.ts';
export { type Routes, routeRows, routes } from './routes.ts';
export { seedSource } from './seed-source.ts';
export { type Session, sessionHeader } from './session.ts';
export type { Settings, SettingsChange } from './settings.ts';
export {
  type ChangedSource,
  ClientCertificate,
  type DetectedSource,
  DocumentFiles,
  maxDocumentChars,
  Namespace,
  NewSource,
  type Source,
  type SourceApproval,
  SourceAuth,
  type SourceChange,
  SourceKind,
  type SourceProblem,
  type SourceProgress,
  type SourceRefresh,
} from './source.ts';
export type { DiscoveredTools, Tool, ToolAuth, ToolQuery, ToolSummary } from './tool.ts';
export type { Worker } from './worker.ts';
