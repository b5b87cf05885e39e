/** Suggestions for something mistyped. */
import type { DevicePage } from './device-model.ts';
import type { PickLine } from './list-model.ts';
import type { CommandChoice } from './report-model.ts';

/** A suggestion with the command that uses it. */
export type Offer =
  /** `page`: the page whose name was mistyped. */
  | {
      readonly kind: 'device';
      readonly line: PickLine;
      readonly page?: DevicePage;
      readonly choice: CommandChoice;
    }
  /** A group or a policy; `detail` tells it from others of its name. */
  | {
      readonly kind: 'named';
      readonly what: 'group' | 'policy';
      readonly name: string;
      readonly id: number;
      readonly detail: string | null;
      readonly choice: CommandChoice;
    }
  /** The corrected line. Its button runs it where it only reads or changes a setting, else it opens the form. */
  | {
      readonly kind: 'line';
      readonly line: string;
      readonly does: 'run' | 'set' | 'form';
      readonly choice: CommandChoice;
    };
