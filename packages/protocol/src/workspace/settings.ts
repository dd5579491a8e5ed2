import * as z from 'zod';
import { ExecutionLimits } from '../execution/execution.ts';
import { DisplayName } from '../text/display-name.ts';

const AnswerWithinHours = z
  .int()
  .min(1)
  .max(8_760)
  .nullable()
  .describe(
    'How long people have to answer an approval or a reconcile. Then the call fails with an error that the code can catch. null: no limit',
  );

export const Settings = z
  .object({
    workspaceName: DisplayName,
    limits: ExecutionLimits.describe('The maximum, and the default, of each run'),
    retentionDays: z.int().min(1).max(3_650).describe('How long finished runs are kept'),
    answerWithinHours: AnswerWithinHours,
  })
  .meta({ id: 'Settings' });
export type Settings = z.infer<typeof Settings>;

export const SettingsChange = z
  .strictObject({
    workspaceName: DisplayName.optional(),
    limits: ExecutionLimits.partial().optional(),
    retentionDays: z.int().min(1).max(3_650).optional(),
    answerWithinHours: AnswerWithinHours.optional(),
  })
  .meta({ id: 'SettingsChange' });
export type SettingsChange = z.infer<typeof SettingsChange>;
