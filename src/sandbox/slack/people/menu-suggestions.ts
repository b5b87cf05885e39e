/** A person types into a select whose options come from the bot. */
import type { ControlAnswer, SuggestInput } from '../../contracts/services.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { asList, type JsonObject } from '../core/json-object.ts';
import type { Deliver } from '../delivery/delivery.ts';
import { suggestionPayload } from '../payloads/interaction-payloads.ts';
import { menuOptionsRule, optionGroupsRule } from '../validate/composition-rules.ts';
import { errorAnswer, findElementOnSurface, findSurface, surfaceKey } from './find-targets.ts';

/** All options, and the groups that they are shown in, if there are any. */
export type SuggestResult = ControlAnswer & {
  readonly options?: readonly JsonObject[];
  readonly option_groups?: readonly JsonObject[];
};

/** Characters to type before the bot is asked, unless the element says otherwise. */
const DEFAULT_QUERY_LENGTH = 3;
const EXTERNAL = ['external_select', 'multi_external_select'];

export async function suggestOptions(
  core: WorkspaceCore,
  deliver: Deliver,
  input: SuggestInput,
): Promise<SuggestResult> {
  const location = findSurface(core, input);
  if (!location.ok) return location;
  const { person, surface } = location;
  const found = findElementOnSurface(surface, input);
  if (!found || !EXTERNAL.some((type) => type === found.element['type']))
    return errorAnswer('unknown_element');
  const shortest = found.element['min_query_length'] ?? DEFAULT_QUERY_LENGTH;
  if (input.value.length < Number(shortest)) return { ok: true, options: [] };
  const payload = suggestionPayload(core, { person, surface, found, value: input.value });
  const outcome = await deliver({ kind: 'interactive', payload });
  if (outcome.kind === 'failed') return errorAnswer(outcome.error);
  const options = readOptions(outcome.body);
  if (!options) return errorAnswer('invalid_options');
  core.enteredValues.offer(person.id, surfaceKey(surface), found, options);
  const groups = outcome.body['option_groups'];
  return { ok: true, options, ...(groups === undefined ? {} : { option_groups: asList(groups) }) };
}

/** Options, with those of groups in sequence; undefined when Slack would show none of them. */
function readOptions(body: JsonObject): readonly JsonObject[] | undefined {
  const { options, option_groups } = body;
  if (option_groups !== undefined) {
    if (optionGroupsRule(option_groups, '/option_groups').length > 0) return undefined;
    return asList(option_groups).flatMap((group) => asList(group['options']));
  }
  if (Array.isArray(options) && options.length === 0) return [];
  return menuOptionsRule(options, '/options').length > 0 ? undefined : asList(options);
}
