/** Views of answers that can be shared in a channel or exported as a file. */
import type { ChannelId, PersonId } from '../../lib/ids.ts';
import type { RefreshReason, View } from '../model.ts';

export type SharingView =
  /** A private answer with buttons to share or export it; `again` runs its command once more. */
  | {
      readonly kind: 'shareable';
      readonly view: View;
      readonly again: RepeatedCommand;
      /** Whether the reader may share it in the channel. */
      readonly share: boolean;
      /** Whether it can be exported. */
      readonly file: boolean;
    }
  /** Confirms that an answer was shared from a window. */
  | { readonly kind: 'posted'; readonly channel: ChannelId }
  /** Confirms that a list was sent as a file. */
  | {
      readonly kind: 'exported';
      readonly name: string;
      readonly rows: number;
      readonly omittedRows: number;
      /** Why the rows differ from the list whose button was pressed; absent: they are the same. */
      readonly refreshReason?: RefreshReason;
    }
  /** An answer shared in a channel by a person. `personal`: the channel may see personal data. */
  | { readonly kind: 'shared'; readonly view: View; readonly by: PersonId; readonly personal?: boolean };

/** A command with its input and page, to be run once more. */
export type RepeatedCommand = { readonly command: string; readonly input: unknown; readonly page: number };
