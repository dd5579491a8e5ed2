export { type ArtifactValue, artifactValue } from './artifact/artifact-value.ts';
export { listAudit } from './audit-entry.ts';
export { credentialNamesOf } from './auth/compose-auth.ts';
export type { ConnectedSource } from './catalog/catalog.ts';
export { ChunkCache } from './catalog/chunk-cache.ts';
export { PackContents } from './catalog/pack-contents.ts';
export { declarationOf } from './catalog/signature/declaration.ts';
export { exampleOf } from './catalog/signature/example.ts';
export { printPacked } from './catalog/signature/print-tool.ts';
export { signatureOf } from './catalog/signature/signature.ts';
export { packTools, ToolPack, ToolPacker } from './catalog/tool-pack.ts';
export { toolText, toolTexts } from './catalog/tool-text.ts';
export { type Clock, systemClock } from './clock.ts';
export { createEngine, type Engine, type EngineOptions } from './engine.ts';
export { type DeliveredRun, questionsOf } from './execution/deliveries.ts';
export { codeExcerpt } from './execution/view/code-excerpt.ts';
export { cutJson } from './execution/view/cut-json.ts';
export { writeRecorded } from './execution/view/recorded-json.ts';
export { newId } from './id.ts';
export type { Credential } from './identity/authenticate.ts';
export { actAsAgent } from './identity/authenticate.ts';
export type { OAuthIdentity } from './identity/oauth-agent.ts';
export { ownerOf } from './identity/owner.ts';
export type { SignedRequest } from './identity/request-proofs.ts';
export type { DialogAnswer } from './interaction/dialog-answer.ts';
export type { DialogQuestion } from './interaction/dialog-question.ts';
export { interactionIdOf } from './interaction/interaction-view.ts';
export type { PendingGroup } from './interaction/pending-groups.ts';
export { resolvedEvent } from './interaction/resolved-event.ts';
export { compactJson } from './json/compact-json.ts';
export { localJsonReader, textOf } from './json/local-json-reader.ts';
export type { AccessProbe, ProbedAccess } from './ports/access-probe.ts';
export type { ArtifactCharge, ArtifactRow, ArtifactStore, PutArtifact } from './ports/artifact-store.ts';
export type { NewAuditEntry } from './ports/audit-store.ts';
export type { Delivery, DeliveryStore, JoinRequest } from './ports/delivery-store.ts';
export type {
  Discovery,
  IndexData,
  MatchedWord,
  SearchedSource,
  SearchIndex,
  SearchOptions,
  SearchOutcome,
  ToolText,
  Why,
} from './ports/discovery.ts';
export type { Embedder, EmbeddingJob, TextVector } from './ports/embedder.ts';
export type {
  EventPage,
  ExecutionFilter,
  ExecutionListRow,
  ExecutionRow,
  ExecutionStore,
  FeedRow,
  Lease,
  Leased,
  LeaseShare,
  NewExecutionRow,
  RunEnding,
  RunStart,
  RunWrite,
} from './ports/execution-store.ts';
export type { Indexer } from './ports/indexer.ts';
export type {
  AskedRow,
  InteractionRow,
  InteractionStore,
  NewInteractionRow,
  ResolutionRow,
} from './ports/interaction-store.ts';
export type { JournalEvent, NewEvent, StoredEvent } from './ports/journal-event.ts';
export type { JsonReader } from './ports/json-reader.ts';
export type { Page } from './ports/page.ts';
export type { PolicyRow, PolicyStore } from './ports/policy-store.ts';
export type { PrintJob, PrintOutcome, PrintThread } from './ports/print-thread.ts';
export {
  type CallResult,
  type CodeError,
  type Compilation,
  type Completion,
  type LogLine,
  noUsage,
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
  CallAnswer,
  CallLogLine,
  CallProblem,
  CallProgress,
  CallQuestion,
  CheckContext,
  CredentialNames,
  Definitions,
  DetectedSource,
  DetectOptions,
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
  ProbeObservation,
  Question,
  SecurityRequirement,
  SecurityScheme,
  Source,
  SourceCall,
  SourceDocument,
  SourceFile,
  SourceLogLine,
  SourceSettings,
  SourceWarning,
  TimeLimits,
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
  CallKey,
  CallNotice,
  DiskSpace,
  Installation,
  Liveness,
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
export type { Turns } from './ports/turns.ts';
export type { TypeCheck, TypeChecker, TypeCheckRequest, TypeProblem } from './ports/type-checker.ts';
export type {
  NewRunLimits,
  StoredLimit,
  TakenResource,
  UsageOwner,
  UsageRow,
  UsageStore,
} from './ports/usage-store.ts';
export type { VectorStore } from './ports/vector-store.ts';
export type { WorkerRow, WorkerStore } from './ports/worker-store.ts';
export { type Account, accountOf, accountOfAddress, asNewcomer } from './resource/account.ts';
export { mediumAnswerBytes, smallAnswerBytes } from './resource/answer-room.ts';
export { chargedAccount, chargeTo } from './resource/charge.ts';
export { FairQueue } from './resource/fair-queue.ts';
export { HeldResource, type Hold } from './resource/held-resource.ts';
export { RateLimit } from './resource/rate-limit.ts';
export type { Resources } from './resource/resources.ts';
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
