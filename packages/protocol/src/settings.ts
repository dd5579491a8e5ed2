import * as z from 'zod';
import { DisplayName } from './display-name.ts';

export const Settings = z.object({ workspaceName: DisplayName }).meta({ id: 'Settings' });
export type Settings = z.infer<typeof Settings>;

export const SettingsChange = z
  .strictObject({ workspaceName: DisplayName.optional() })
  .meta({ id: 'SettingsChange' });
export type SettingsChange = z.infer<typeof SettingsChange>;
