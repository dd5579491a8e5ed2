/** A statement that is run often: each connection parses it once, and remembers it by its name. */
export interface Statement {
  name: string;
  text: string;
}

export type Query = <Row extends object>(statement: Statement, values: unknown[]) => Promise<Row[]>;
