/** Our own sentences about what can be typed, which is drawn as code in them. */
import {
  escapeMrkdwn,
  inlineCode,
  isHarmless,
  joinMrkdwn,
  type Mrkdwn,
  md,
  singleLine,
  truncate,
  trustedMrkdwn,
} from './escape.ts';
import { DISPLAY_LIMIT } from './limits.ts';

/** A key in quotes, or a key with its value, and what follows it. */
const TYPED = /^(?:“(-?[a-z][a-z-]*:)”|(-?[a-z][a-z-]*:\S*[^\s.,;:]))([.,;:]?)$/;

const OURS = /[“”]|:$/g;

/** Word by word: two colons in one text would make all of it code. */
export function typedText(sentence: string, max: number = DISPLAY_LIMIT.sentence): Mrkdwn {
  const words = truncate(singleLine(sentence), max).split(' ');
  return joinMrkdwn(
    words.map((word) => {
      const [, key, part = key, end = ''] = TYPED.exec(word) ?? [];
      if (part !== undefined) return md`${inlineCode(part)}${trustedMrkdwn(end)}`;
      // The quotation marks and the colon at the end are ours.
      return isHarmless(word.replace(OURS, '')) ? trustedMrkdwn(word) : escapeMrkdwn(word);
    }),
    ' ',
  );
}
