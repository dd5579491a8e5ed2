export { listAudit } from './audit-entry.ts';
export type { ConnectedSource } from './catalog/catalog.ts';
export { ChunkCache } from './catalog/chunk-cache.ts';
export { indexTools } from './catalog/discovery/index/build-index.ts';
export { type SearchedSource, SourceIndex, searchedSource } from './catalog/discovery/index/source-index.ts';
export { type SearchOutcome, search } from './catalog/discovery/search.ts';
export { type Declaration, declarationOf } from './catalog/signature/declaration.ts';
export { exampleOf } from './catalog/signature/example.ts';
export { type SignatureOptions, signatureOf } from './catalog/signature/signature.ts';
export { packTools, ToolPack, ToolPacker } from './catalog/tool-pack.ts';
export { type Clock, systemClock } from './clock.ts';
export { createEngine, type Engine, type EngineOptions } from './engine.ts';
export { codeExcerpt } from './execution/view/code-excerpt.ts';
export { cutJson } from './execution/view/cut-json.ts';
export { newId } from './id.ts';
export type { Credential } from './identity/authenticate.ts';
export { actAsAgent } from './identity/authenticate.ts';
export type { OAuthIdentity } from './identity/oauth-agent.ts';
export { ownerOf } from './identity/owner.ts';
export type { DialogAnswer } from './interaction/dialog-answer.ts';
export type { DialogQuestion } from './interaction/dialog-question.ts';
export { interactionIdOf } from './interaction/interaction-view.ts';
export { resolvedEvent } from './interaction/resolved-event.ts';
export type { ArtifactRow, ArtifactStore, PutArtifact } from './ports/artifact-store.ts';
export type { NewAuditEntry } from './ports/audit-store.ts';
export type {
  ExecutionFilter,
  ExecutionListRow,
  ExecutionRow,
  ExecutionStore,
  FeedRow,
  Lease,
  Leased,
  NewExecutionRow,
  RunEnding,
  RunStart,
  RunWrite,
} from './ports/execution-store.ts';
export type { IndexData, Indexer } from './ports/indexer.ts';
export type {
  InteractionRow,
  InteractionStore,
  NewInteractionRow,
  ResolutionRow,
} from './ports/interaction-store.ts';
export type { JournalEvent, NewEvent, StoredEvent } from './ports/journal-event.ts';
export type { Page } from './ports/page.ts';
export type { PolicyRow, PolicyStore } from './ports/policy-store.ts';
export {
  type CallResult,
  type CodeError,
  type Compilation,
  type Completion,
  type LogLine,
  type Program,
  type RecordedCall,
  type Sandbox,
  type SandboxCall,
  type SandboxHistory,
  type SandboxHooks,
  type SandboxLimits,
  type SandboxOutcome,
  type SandboxRequest,
  type SandboxUsage,
  sleepPath,
} from './ports/sandbox.ts';
export type {
  Answer,
  ArtifactHandle,
  Auth,
  CallProblem,
  CheckContext,
  Definitions,
  DetectedSource,
  Effect,
  Invocation,
  InvocationOutcome,
  JsonSchema,
  LoadContext,
  LoadedSource,
  LoadProgress,
  NewArtifact,
  PackedTools,
  Preview,
  Question,
  SecurityRequirement,
  SecurityScheme,
  Source,
  SourceCall,
  SourceDocument,
  SourceFile,
  SourceSettings,
  SourceWarning,
  Tool,
  ToolRow,
} from './ports/source.ts';
export type {
  SourceContent,
  SourceRevision,
  SourceRow,
  SourceStore,
  ToolEdit,
} from './ports/source-store.ts';
export type {
  ApiKeyRow,
  Installation,
  NewAccount,
  NewSignInLink,
  PresenceRow,
  Redemption,
  SessionRow,
  Store,
  StoreChange,
  StoredSettings,
  WorkspaceNames,
} from './ports/store.ts';
export type { TypeCheck, TypeChecker, TypeCheckRequest, TypeProblem } from './ports/type-checker.ts';
export type { WorkerRow, WorkerStore } from './ports/worker-store.ts';
export type { SourceDocumentStream } from './source/document/stream-document.ts';
export {
  isLinkLocalAddress,
  isLoopbackAddress,
  isPublicAddress,
  literalAddress,
} from './source/network/address.ts';
export { meansPrivateNetwork } from './source/network/private-network.ts';
export { InputValidator } from './validation/input-validator.ts';
export { isLargeInteger } from './validation/large-integer.ts';
export { linearPattern } from './validation/linear-pattern.ts';
