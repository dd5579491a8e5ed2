/** A frequent statement. Each connection parses it once and keeps it under its name. */
export interface Statement {
  name: string;
  text: string;
}

export type Query = <Row extends object>(statement: Statement, values: unknown[]) => Promise<Row[]>;
