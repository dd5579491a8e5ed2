export type { OperationPlan } from './openapi/operation.ts';
