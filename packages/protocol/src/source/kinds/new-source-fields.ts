import * as z from 'zod';
import { DisplayName } from '../../text/display-name.ts';
import { SourceAuth } from '../source-auth.ts';

/** These names have another meaning after `tools.`. */
const reserved = [
  'executor',
  'discover',
  'describe',
  'constructor',
  'prototype',
  '__proto__',
  'then',
  'toString',
  'toJSON',
];

export const Namespace = z
  .string()
  .max(60)
  .regex(/^[A-Za-z_$][\w$]*$/, 'must be an identifier, such as github. Code uses it after `tools.`')
  .refine((name) => !reserved.includes(name), `must be none of ${reserved.join(', ')}`);

export const Approval = z.enum(['auto', 'required']);

/** The defaults for its tools if no rule matches: `auto` allows, `required` asks. */
export const SourceApproval = z
  .strictObject({ read: Approval.optional(), write: Approval.optional() })
  .meta({ id: 'SourceApproval' });
export type SourceApproval = z.infer<typeof SourceApproval>;

/** The fields of a new source of any kind. */
export const newSourceFields = {
  namespace: Namespace.optional().describe('Derived from the name if absent'),
  name: DisplayName.optional().describe('Display name'),
  auth: SourceAuth.optional(),
  approval: SourceApproval.optional(),
};
