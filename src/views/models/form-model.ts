/** Windows with fields, as facts: what is asked for, and what is in the fields already. Drawn by `form.ts`. */

/** What a menu searches while somebody types. */
export type SearchedKind = 'device' | 'group' | 'policy' | 'package';

/** Something to choose. Values are unique within a field and go back as they are. */
export type FormOption = {
  readonly value: string;
  readonly label: string;
  /** What tells it from the others. */
  readonly detail?: string;
};

type FieldHead = {
  /** Names the field within its form, and its errors. */
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  /** May stay empty. */
  readonly optional?: true;
  /** A change draws the form anew at once, by its command's `redraw`. */
  readonly live?: true;
};

export type FormField =
  | (FieldHead & {
      readonly kind: 'text';
      readonly initial: string;
      readonly lines?: true;
      /** In characters. */
      readonly most: number;
    })
  /** One or several of a few. */
  | (FieldHead & {
      readonly kind: 'choice';
      readonly options: readonly FormOption[];
      readonly initial: string | null;
    })
  | (FieldHead & {
      readonly kind: 'choices';
      readonly options: readonly FormOption[];
      readonly initial: readonly string[];
      /** Always a menu to search in, also for a few. */
      readonly menu?: true;
    })
  /** One or several of very many, found while somebody types. */
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
  /** Words between the fields, such as a count. Plain text: escaped where it is drawn. */
  | { readonly kind: 'words'; readonly text: string };

export type FormView = {
  /** Whose input the form gives. */
  readonly command: string;
  readonly title: string;
  /** On the button that submits. */
  readonly submit: string;
  readonly fields: readonly FormField[];
  /** What is known and not asked for; comes back with the fields. JSON, short. */
  readonly context: unknown;
};

/** What the fields hold, by field id: the text, or the values chosen; empty where nothing is. */
export type FieldValues = ReadonlyMap<string, readonly string[]>;
