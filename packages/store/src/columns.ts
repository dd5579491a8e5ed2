import { customType, text, timestamp } from 'drizzle-orm/pg-core';

/** The kinds of columns that all tables are made of. */
export const id = () => text().primaryKey();
export const time = () => timestamp({ withTimezone: true, mode: 'date', precision: 3 });
export const createdAt = () => time().notNull();

/**
 * A value stored as JSON text. Untrusted text may contain U+0000 and lone surrogates. Postgres refuses the former in any text and the
 * latter in `jsonb`, and the driver would turn the latter into U+FFFD. JSON text escapes both, so every value comes back unchanged. `name` is the column, if it differs from the field.
 */
export function jsonText<Value>(name = '') {
  return customType<{ data: Value; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (value) => JSON.parse(value),
  })(name);
}

/** A transaction id, which is never reused. */
export const transactionId = customType<{ data: string; driverData: string }>({ dataType: () => 'xid8' });

export const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (value) => Buffer.from(value.buffer, value.byteOffset, value.byteLength),
});
