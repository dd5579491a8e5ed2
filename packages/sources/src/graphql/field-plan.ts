/** How a root field is called. It is plain JSON, made once when the schema is read, and is the `plan` of the field's tool. */
export interface FieldPlan {
  operation: 'query' | 'mutation';
  field: string;
  /** The arguments with their GraphQL types, as `['owner', 'String!']`. */
  args: [name: string, type: string][];
  /** Absent if the field returns a scalar or an enum, which have no fields. */
  result?: {
    /** The name of the type that it returns. */
    type: string;
    /** The fields that are selected by default, without the outer braces. */
    selection: string;
    /** The input field that replaces the default: `select`, unless an argument has this name. */
    selectField: '$select' | 'select';
  };
  /** Whether it returns a page of a connection and accepts `first` and `last`. Some servers reject a call with neither. */
  paged?: true;
}

/** The number of items that a call asks for if its input has neither `first` nor `last`. */
export const defaultPageSize = 20;
