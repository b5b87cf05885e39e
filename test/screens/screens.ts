/** The screens to read when wording changes, in reading order, and some more. */
import { ALERT_SCREENS, MORE_ALERT_SCREENS } from './alerts.ts';
import { ANSWERS, MORE_ANSWERS } from './answers.ts';
import { COMMANDS, MORE_COMMANDS } from './commands.ts';
import { FORMS, MORE_FORMS } from './forms.ts';
import { MORE_REQUESTS, REQUESTS } from './requests.ts';
import { ROLLOUTS } from './rollouts.ts';
import type { Screen } from './screen.ts';

export const SCREENS: readonly Screen[] = [...REQUESTS, ...COMMANDS, ...ALERT_SCREENS, ...ANSWERS, ...FORMS];

export const MORE_SCREENS: readonly Screen[] = [
  ...MORE_REQUESTS,
  ...MORE_COMMANDS,
  ...MORE_ALERT_SCREENS,
  ...MORE_ANSWERS,
  ...MORE_FORMS,
  ...ROLLOUTS,
];
