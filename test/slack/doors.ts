/** Doors that keep nobody out, for tests of what lies behind them. */
import type { Reach } from '../../src/slack/external.ts';
import type { View } from '../../src/views/model.ts';

export const allInternal = async (): Promise<Reach> => 'internal';
export const unnoted = (_person: unknown, _attempt: string, answer: View): View => answer;
