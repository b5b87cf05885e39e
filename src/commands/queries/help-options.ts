/** What each option of a rollout means, for help and the README. */
import type { HelpFilter } from '../../views/answers/help-answer.ts';

/** What stands for the options in a usage. */
export const OPTIONS_PLACE = '[OPTIONS]';

export const OPTION_HELP: readonly HelpFilter[] = [
  {
    text: 'waves:1,25%',
    description:
      'how much is done after each wave, as devices or a share; the rest follows. Default from 11 devices on: 5%, 25%, the rest',
  },
  { text: 'wait:10m', description: 'a wait between waves, up to 24 hours (default: none)' },
  {
    text: 'brake:3',
    description:
      'stops sending at so many failures in a wave, or at a share such as 10% (the default) of the devices that ended, judged once ten or all of the wave ended. A device that isn’t verified counts as a failure, one that wasn’t sent anything doesn’t. Whatever it says, no wave begins by itself after one in which no device is verified',
  },
  { text: 'gate:manual', description: 'an approver continues after each wave (default: auto)' },
  {
    text: 'offline:skip',
    description: 'leaves out devices that are offline when their turn comes (default: queue)',
  },
];
