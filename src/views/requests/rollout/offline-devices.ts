/** Devices that a rollout waits for because they are offline. */
import { section } from '../../kit/blocks.ts';
import { md, trustedMrkdwn } from '../../kit/escape.ts';
import { SIGN } from '../../kit/signs.ts';
import { relativeDate } from '../../kit/timestamps.ts';
import type { Block } from '../../models/rendered-model.ts';
import type { RolloutDetails } from '../../models/request-model.ts';
import { countText, listTargets } from '../../text/common-text.ts';

/** How many devices are offline, and when a command runs on them: in a list, and on the card with names. */
export function offlineWords(devices: number) {
  const [are, they] = devices === 1 ? ['is', 'it’s'] : ['are', 'they’re'];
  return {
    are: md`${trustedMrkdwn(SIGN.waiting)} ${countText(devices, 'device')} ${trustedMrkdwn(are)} offline`,
    back: md`runs once ${trustedMrkdwn(they)} back online.`,
  };
}

/** Offline devices that are named. */
const MAX_NAMES = 5;

/** Which devices, and until when; where nothing else moves meanwhile, who can end the wait. */
export function offlineText({ offline, onlyOffline }: RolloutDetails): readonly Block[] {
  const [last] = offline.map(({ deadlineAt }) => deadlineAt).toSorted((a, b) => b - a);
  if (last === undefined) return [];
  const names = listTargets(offline, MAX_NAMES);
  const { are, back } = offlineWords(offline.length);
  const only = md`${trustedMrkdwn(SIGN.waiting)} Waiting only for ${countText(offline.length, 'offline device')}`;
  const what = onlyOffline ? only : are;
  const close = onlyOffline ? md` The requester or an approver can close it now.` : md``;
  return [
    section(md`${what}: ${names}. The command ${back} Patchbay checks until ${relativeDate(last)}.${close}`),
  ];
}
