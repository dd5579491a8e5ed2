export {
  type CheckerProcessOptions,
  createTypeChecker,
  type ProcessTypeChecker,
} from './process-type-checker.ts';
