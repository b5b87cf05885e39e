/** The field for the notes of a group or a policy. Pure. */
import type { FormField } from '../../../views/models/form-model.ts';

/** A text field holds 3,000 characters (Slack). */
const MAX_NOTES = 2_900;

/** A value that does not fit the field would be cut, so the field is left out. */
export function notesField(id: string, notes: string): FormField {
  if (notes.length > MAX_NOTES)
    return { kind: 'words', text: 'The notes are too long to show here. To replace them, type notes:TEXT.' };
  return { kind: 'text', id, label: 'Notes', initial: notes, most: MAX_NOTES, lines: true, optional: true };
}
