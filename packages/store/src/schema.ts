import type { StoredSettings } from '@executor/engine';
import type { NewPolicy, SessionKey } from '@executor/protocol';
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { createdAt, id, jsonText, time } from './columns.ts';

/**
 * All tables except those of runs and sources, which have their own files. After a change, `npx drizzle-kit generate --name WHAT` writes
 * the next migration. Never edit a released migration.
 */

/** Every row belongs to a workspace, and most to an actor. */
export const workspaceId = () =>
  text()
    .notNull()
    .references(() => workspaces.id);
export const actorId = () =>
  text()
    .notNull()
    .references(() => actors.id);

export const organizations = pgTable('organizations', {
  id: id(),
  name: text().notNull(),
  createdAt: createdAt(),
});

export const workspaces = pgTable(
  'workspaces',
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    name: text().notNull(),
    /** Values that differ from the defaults. */
    settings: jsonb().$type<StoredSettings>().notNull().default({}),
    createdAt: createdAt(),
  },
  (table) => [index('workspaces_organization').on(table.organizationId)],
);

export const actors = pgTable('actors', {
  id: id(),
  kind: text({ enum: ['person', 'service'] }).notNull(),
  name: text().notNull(),
  createdAt: createdAt(),
});

export const memberships = pgTable(
  'memberships',
  {
    workspaceId: workspaceId(),
    actorId: actorId(),
    role: text({ enum: ['owner', 'member'] }).notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.actorId] }),
    index('memberships_actor').on(table.actorId),
  ],
);

/** At most one row: `singleton` is the key and has one possible value. */
export const installation = pgTable(
  'installation',
  {
    singleton: text({ enum: ['installation'] }).primaryKey(),
    id: text().notNull(),
    ownerActorId: text().notNull(),
    ownerWorkspaceId: text().notNull(),
    /** Signs the state that clients carry between requests. */
    stateKey: text(),
    createdAt: createdAt(),
  },
  (table) => [
    foreignKey({
      columns: [table.ownerWorkspaceId, table.ownerActorId],
      foreignColumns: [memberships.workspaceId, memberships.actorId],
    }),
  ],
);

/** A sign-in link that becomes, once, a browser session. */
export const sessions = pgTable(
  'sessions',
  {
    id: id(),
    workspaceId: workspaceId(),
    actorId: actorId(),
    /** The key that created the link, if any. Revoking it ends the sessions that it opened. */
    apiKeyId: text().references(() => apiKeys.id),
    codeHash: text().notNull(),
    codeExpiresAt: time().notNull(),
    /** The process that created the link. The link ends with it. */
    processId: text().notNull(),
    cookieHash: text(),
    /** The page signs its requests with the private key, which only its browser has. */
    publicKey: jsonb().$type<SessionKey>(),
    userAgent: text(),
    createdAt: createdAt(),
    openedAt: time(),
    lastUsedAt: time(),
    expiresAt: time(),
    endedAt: time(),
  },
  (table) => [
    uniqueIndex('sessions_code').on(table.codeHash),
    uniqueIndex('sessions_cookie').on(table.cookieHash),
    index('sessions_workspace').on(table.workspaceId),
    index('sessions_api_key').on(table.apiKeyId),
  ],
);

export const apiKeys = pgTable(
  'api_keys',
  {
    id: id(),
    workspaceId: workspaceId(),
    actorId: actorId(),
    name: text().notNull(),
    kind: text({ enum: ['person', 'agent'] }).notNull(),
    hash: text().notNull(),
    hint: text().notNull(),
    allowDialog: boolean().notNull().default(false),
    createdAt: createdAt(),
    lastUsedAt: time(),
    revokedAt: time(),
  },
  (table) => [
    uniqueIndex('api_keys_hash').on(table.hash),
    index('api_keys_workspace').on(table.workspaceId, table.id),
  ],
);

/** Append-only: a trigger of the first migration refuses changes and removals. */
export const audit = pgTable(
  'audit',
  {
    id: id(),
    workspaceId: workspaceId(),
    at: time().notNull(),
    action: text().notNull(),
    actorId: text().notNull(),
    credential: text().notNull(),
    /** The key or session that acted. */
    credentialId: text(),
    target: text(),
    details: jsonb().$type<Record<string, unknown>>(),
  },
  (table) => [index('audit_workspace').on(table.workspaceId, table.id)],
);

export const policies = pgTable(
  'policies',
  {
    id: id(),
    workspaceId: workspaceId(),
    scope: jsonText<NewPolicy['scope']>().notNull(),
    pattern: text().notNull(),
    conditions: jsonText<NewPolicy['conditions']>().notNull(),
    decision: text({ enum: ['allow', 'requireApproval', 'deny'] }).notNull(),
    note: jsonText<string>(),
    createdBy: text().notNull(),
    createdAt: createdAt(),
    updatedAt: time().notNull(),
  },
  (table) => [index('policies_workspace').on(table.workspaceId, table.id)],
);

export const presence = pgTable(
  'presence',
  {
    workspaceId: workspaceId(),
    actorId: actorId(),
    mode: text({ enum: ['off', 'pin'] }).notNull(),
    pinHash: text(),
    failures: integer().notNull(),
    lockedUntil: time(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.actorId] })],
);

/** The processes that run executions, of all workspaces. */
export const workers = pgTable('workers', {
  id: id(),
  host: text().notNull(),
  pid: integer().notNull(),
  version: text().notNull(),
  concurrency: integer().notNull(),
  running: integer().notNull(),
  draining: boolean().notNull(),
  startedAt: time().notNull(),
  seenAt: time().notNull(),
});
