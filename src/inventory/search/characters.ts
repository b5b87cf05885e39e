/** What the characters of a search text mean: the edges of its fields, separators within names, letters. Pure. */

/** Stands between fields. No folded text contains it, and `.` in a regular expression does not match it. */
export const FIELD_MARK = '\n';
/** Stands before each address. */
export const ADDRESS_MARK = '\r';

/** What people leave out of a name, add to it, or mix up. */
export const SEPARATORS: readonly string[] = ['-', '.', '_', ' '];

const FIELD_EDGE = FIELD_MARK.charCodeAt(0);
const ADDRESS_EDGE = ADDRESS_MARK.charCodeAt(0);

/** Whether no field has a character at this index: there is a mark, or the text has ended. */
export function isFieldEdge(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return true;
  const char = text.charCodeAt(at);
  return char === FIELD_EDGE || char === ADDRESS_EDGE;
}

/** ASCII letters and digits, and everything beyond ASCII; by its character code. */
export function isWordCharacter(char: number): boolean {
  return (char >= 48 && char <= 57) || (char >= 97 && char <= 122) || char > 127;
}
