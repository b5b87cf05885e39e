/** Views of an answer of which more is made: shared in its channel, or sent as a file. */
import type { ChannelId, PersonId } from '../../lib/ids.ts';
import type { RefreshReason, View } from '../model.ts';

export type SharingView =
  /** A private answer of which more can be made: `again` asks for it anew. */
  | {
      readonly kind: 'shareable';
      readonly view: View;
      readonly again: RepeatedCommand;
      /** Whether its reader may share it in the channel. */
      readonly share: boolean;
      /** Whether it can be sent as a file. */
      readonly file: boolean;
    }
  /** An answer was shared from a window. */
  | { readonly kind: 'posted'; readonly channel: ChannelId }
  /** A list was sent as a file; `left` rows did not fit in it. */
  | {
      readonly kind: 'exported';
      readonly name: string;
      readonly rows: number;
      readonly omittedRows: number;
      /** Why its rows are not those of the list whose button was pressed; absent: they are. */
      readonly refreshReason?: RefreshReason;
    }
  /** An answer for a channel, in the name of the one who shares it; `personal`: one that may see such data. */
  | { readonly kind: 'shared'; readonly view: View; readonly by: PersonId; readonly personal?: boolean };

/** A command that was answered, with its input and the page of a list, to be run once more. */
export type RepeatedCommand = { readonly command: string; readonly input: unknown; readonly page: number };
