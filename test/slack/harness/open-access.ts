/** Access checks that allow everybody, for tests of what comes after them. */
import type { ChannelReaders } from '../../../src/slack/access/external-channels.ts';
import type { View } from '../../../src/views/model.ts';

export const noExternalChannels = async (): Promise<ChannelReaders> => 'internal';
export const withoutRecording = (_person: unknown, _attempt: string, answer: View): View => answer;
