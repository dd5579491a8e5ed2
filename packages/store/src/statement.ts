/** A frequent statement. Each connection parses it once and keeps it under its name. */
export interface Statement {
  name: string;
  text: string;
  /** Its results can be large, so few of them share a turn of the embedded database. */
  isLarge?: boolean;
}

export type Query = <Row extends object>(statement: Statement, values: unknown[]) => Promise<Row[]>;
