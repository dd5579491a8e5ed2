/** A task of the benchmark. `text` is all that a model gets; the steps are the plan that a model would make of it. */
export interface AgentTask {
  id: string;
  text: string;
  steps: Step[];
  answer: AnswerForm;
  expect: Expectation;
  /** The user refuses every approval. */
  user?: 'denies';
}

/** One step of a plan, in everyday words. No step knows a tool. */
export interface Step {
  /** The name of its result. */
  as: string;
  do: string;
  values?: Record<string, StepValue>;
  /** Which items of a list are wanted. A step without `take` is an action, or reads one thing. */
  take?: 'one' | 'all' | 'first' | { most: string } | { least: string };
  /** The step is repeated for each item of that result. */
  each?: string;
}

/** A value by its everyday name. `@order.id` is a field of an earlier result. */
type StepValue = string | number | boolean | string[] | Comparison;

export interface Comparison {
  before?: string;
  after?: string;
  over?: number;
  under?: number;
  contains?: string;
}

/** How the final answer is made of the results. A field follows its step: `deals.amount`. */
type AnswerForm =
  | { count: string }
  | { sum: string }
  | { list: string }
  | { value: string }
  | { done: string };

/** What decides whether a task is done: the answer, and the state of the services. */
export interface Expectation {
  answer?: string | number | AnswerQuery;
  state?: { in: string; where: Where; count: number }[];
  /** The number of changed items in all services. By default, as many as the state expects. */
  changes?: number;
}

export type Where = Record<string, string | number | boolean | string[] | Comparison>;

/** The right answer, computed from the state before the task. Collections are `service.collection`. */
export type AnswerQuery =
  | { count: string; where?: Where }
  | { sum: string; field: string; where?: Where }
  | { list: string; field: string; where?: Where }
  | { most: string; by: string; field: string; where?: Where };

/** What an agent can do. It sees nothing else of Executor and of the benchmark. */
export interface AgentSession {
  /** Everything that the client shows the model before the first call. */
  shown: string;
  /** The part of it that the server sent as instructions. Empty if the client does not show them. */
  instructions: string;
  tools: { name: string; description: string; inputSchema: { properties?: Record<string, unknown> } }[];
  /** Calls an MCP tool and returns the texts of the answer. */
  call(name: string, args: Record<string, unknown>): Promise<string[]>;
  /** Shows the user an answer that waits for them. The user answers before this resolves. */
  showUser(text: string): Promise<void>;
}

/** Solves a task and returns the final answer. */
export type Agent = (task: AgentTask, session: AgentSession, habits: Habits) => Promise<unknown>;

/** A slip that models make, assigned to tasks in turn. */
export interface Habits {
  /** Repeats actions with `forEach` and an async function, and awaits nothing. */
  forgetsToAwait: boolean;
}
