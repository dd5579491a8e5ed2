export interface Page<Row> {
  items: Row[];
  nextCursor?: string;
}
