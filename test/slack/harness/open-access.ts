/** Access checks that allow everybody, for tests of what comes after them. */
import type { ChannelReaders } from '../../../src/slack/access/external-channels.ts';
import type { View } from '../../../src/views/views.ts';

export const noExternalChannels = async (): Promise<ChannelReaders> => 'internal';
export const withoutRecording = (_person: unknown, _attempt: string, answer: View): View => answer;

/** The button of a command’s form where no window shows it. */
export const aFillIn = (command: string): Extract<View, { kind: 'fill-in' }> => ({
  ...{ kind: 'fill-in', command, prefill: {} },
  ...{ missing: null, usage: command, root: '/fleet' },
});
