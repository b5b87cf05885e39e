/** The form of commands that are about one group or one policy. */

import type { Form } from './form.ts';
import { errorOn, idIn } from './form-values.ts';

export type NamedFormOptions = {
  readonly command: string;
  /** What is looked for; the command's input and the field have its name. */
  readonly of: 'group' | 'policy';
  readonly title: string;
  readonly label: string;
};

export function namedForm({ command, of, title, label }: NamedFormOptions): Form {
  return {
    open: async () => {
      const field = { kind: 'search', id: of, label, of, initial: null } as const;
      return { kind: 'form', form: { command, title, submit: 'Show', fields: [field], context: null } };
    },
    read(values) {
      const id = idIn(values, of);
      if (id === null) return errorOn(of, `Choose a ${of}.`);
      return { kind: 'input', input: { [of]: id } };
    },
  };
}
