/** Options that the bot suggests while a person types. */

import { renderPlainText } from '../../text/text-object.ts';
import type { Element, ElementSlot, RenderContext, Suggestions } from '../../types.ts';
import { reportValues } from '../report-values.ts';
import type { OptionSource } from './option-list.ts';

/** Slack's own pause between keystrokes is not published; this one feels immediate and spares the bot. */
const PAUSE_MS = 120;
/** Slack's default for `min_query_length` (docs.slack.dev, select menu of external data source). */
const MIN_LETTERS = 3;

export function externalOptions(element: Element, slot: ElementSlot, surface: RenderContext): OptionSource {
  const fewest = element.min_query_length ?? MIN_LETTERS;
  let newest = 0;
  return async (query, show) => {
    newest += 1;
    const mine = newest;
    if (query.length < fewest) return show({ groups: [], nothing: lettersWanted(fewest) });
    await pause(query === '' ? 0 : PAUSE_MS);
    if (mine !== newest) return;
    show({ groups: [], nothing: 'Loading…' });
    await reportValues(surface);
    const request = { action_id: element.action_id ?? '', block_id: slot.blockId, value: query };
    show(optionListOf(await surface.suggest(request)));
  };
}

const lettersWanted = (fewest: number) =>
  fewest === 1 ? 'Type to search.' : `Type at least ${fewest} characters to search.`;

function optionListOf({ options, option_groups = [], error }: Suggestions) {
  const groups = option_groups.map((group) => ({
    label: renderPlainText(group.label),
    options: group.options,
  }));
  return {
    groups: groups.length > 0 ? groups : [{ options }],
    nothing: error ? `Couldn’t load options: ${error}` : 'No results',
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
