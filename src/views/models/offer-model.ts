/** What may have been meant in place of what was typed, each with what takes it. */
import type { DevicePage, PickLine } from './device-model.ts';
import type { Choice } from './report-model.ts';

export type Offer =
  /** `page`: one that was mistyped. */
  | {
      readonly kind: 'device';
      readonly line: PickLine;
      readonly page?: DevicePage;
      readonly choice: Choice;
    }
  /** A group or a policy; `detail` tells it from others of its name. */
  | {
      readonly kind: 'named';
      readonly what: 'group' | 'policy';
      readonly name: string;
      readonly id: number;
      readonly detail: string | null;
      readonly choice: Choice;
    }
  /** The whole line put right: run where that only looks, done where it changes a setting, else its form is opened. */
  | {
      readonly kind: 'line';
      readonly line: string;
      readonly does: 'run' | 'set' | 'form';
      readonly choice: Choice;
    };
