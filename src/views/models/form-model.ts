/** Forms as data: fields and their values. Drawn by `src/views/forms/form-window.ts`. */

/** What a menu searches while a person types. */
export type SearchedKind = 'device' | 'group' | 'policy' | 'package';

/** An option. Values are unique within a field and are returned unchanged. */
export type FormOption = {
  readonly value: string;
  readonly label: string;
  /** A second line that tells it from the others: a fact, or several that stand beside each other. */
  readonly detail?: string | readonly string[];
};

type FieldHead = {
  /** The field's id within its form, also used for its errors. */
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly optional?: true;
  /** A change redraws the form at once, by its command's `redraw`. */
  readonly live?: true;
};

export type FormField =
  | (FieldHead & {
      readonly kind: 'text';
      readonly initial: string;
      readonly lines?: true;
      /** Limits in characters. */
      readonly most: number;
    })
  /** A time of day, `HH:MM`. */
  | (FieldHead & { readonly kind: 'time'; readonly initial: string | null })
  | (FieldHead & {
      readonly kind: 'choice';
      readonly options: readonly FormOption[];
      readonly initial: string | null;
    })
  | (FieldHead & {
      readonly kind: 'choices';
      readonly options: readonly FormOption[];
      readonly initial: readonly string[];
      /** Shows a searchable menu even for few options. */
      readonly menu?: true;
    })
  /** A choice of one or several from a large set, searched while a person types. */
  | (FieldHead & {
      readonly kind: 'search';
      readonly of: SearchedKind;
      readonly initial: FormOption | null;
    })
  | (FieldHead & {
      readonly kind: 'searches';
      readonly of: SearchedKind;
      readonly initial: readonly FormOption[];
    })
  /** Text between fields, such as a count. Plain text: the renderer escapes it. */
  | { readonly kind: 'words'; readonly text: string };

export type FormView = {
  readonly command: string;
  readonly title: string;
  readonly submit: string;
  readonly fields: readonly FormField[];
  /** Values that are known already and come back with the fields. JSON, short. */
  readonly context: unknown;
};

/** Values by field id: text, or the chosen values; empty for an empty field. */
export type FieldValues = ReadonlyMap<string, readonly string[]>;
