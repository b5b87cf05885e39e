/** The field for events that Patchbay does not know, in forms about alerts. */
import { type AnyEventKind, isEventKind } from '../../../fleet/model/event-kinds.ts';
import type { FieldValues, FormField } from '../../../views/models/form-model.ts';
import { parseEventNames } from '../../alerting/event-name-parser.ts';
import type { FormValues } from './command-form.ts';
import { fieldError, textValue } from './field-values.ts';

const OTHERS = 'others';
const MAX_OTHERS = 500;

/** `events`: those that are filled in; known ones have a field of their own. */
export function otherEventsField(events: readonly string[]): FormField {
  return {
    id: OTHERS,
    kind: 'text',
    label: 'Other events',
    hint: 'The exact names in the event log, such as system.device.renamed, separated by commas.',
    optional: true,
    initial: events.filter((kind) => !isEventKind(kind)).join(', '),
    most: MAX_OTHERS,
  };
}

/** The events that were entered; known ones as their kinds. */
export function readOtherEvents(
  values: FieldValues,
): { readonly kind: 'events'; readonly kinds: readonly AnyEventKind[] } | FormValues {
  const read = parseEventNames([textValue(values, OTHERS)]);
  return read.kind === 'fault' ? fieldError(OTHERS, 'Enter names as they are in the event log.') : read;
}
