/**
 * Types that describe the interface as data: what each endpoint takes and answers. Every entry becomes a row of the
 * coverage table, proven by a test of the same name.
 */

export type ProfileName = 'documented' | 'live';

type Base =
  | 'integer'
  | 'number'
  | 'string'
  | 'boolean'
  | 'array'
  | 'object'
  | 'value'
  | 'integers'
  | 'strings'
  /** Digits as text. */
  | 'digits'
  /** `#RRGGBB` */
  | 'color'
  /** `YYYY-MM-DDThh:mm:ss+0000` */
  | 'device time'
  /** `YYYY-MM-DDThh:mm:ss.fffZ` as documented, `YYYY-MM-DDThh:mm:ss+0000` live. */
  | 'queue time'
  /** `YYYY-MM-DD hh:mm:ss.ffffff` as documented, `YYYY-MM-DDThh:mm:ssZ` live. */
  | 'event time'
  /** `YYYY-MM-DDThh:mm:ss+0000` as documented; live as the agent of each system writes it. */
  | 'logon time';

/**
 * `or null`: the document says so. A question mark: the document does not, but the service was seen to send null or to
 * leave the field out.
 */
export type FieldType = Base | `${Base} or null` | `${Base}?`;

/** Answer fields by path: `detail.NICS[].MAC`. */
export type FieldTypes = Readonly<Record<string, FieldType>>;

export type ParameterSpec = {
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'array' | 'object' | 'integers' | 'strings';
  readonly required?: true;
  /** Bounds of a number. */
  readonly least?: number;
  /** Where the live service accepts less. */
  readonly leastLive?: number;
  readonly most?: number;
  /** The default. */
  readonly otherwise?: number | 'organization of the key';
  /** Every named value, each a row of its own. */
  readonly values?: readonly string[];
  /** Values newer than the document: live only. */
  readonly newerValues?: readonly string[];
  /** From samples or from practice, not in the document's list of parameters. */
  readonly source?: 'sample' | 'in practice';
  /** Where only one profile has it. */
  readonly only?: ProfileName;
};
export type ParameterSpecs = Readonly<Record<string, ParameterSpec>>;

export type AnswerSpec = {
  /** `page` is `{size, results}`. */
  readonly as: 'list' | 'one' | 'page';
  readonly shape: FieldTypes;
  /** Fields that have another name on the live service. */
  readonly older?: FieldTypes;
  /** Fields newer than the document: live only. */
  readonly newer?: FieldTypes;
};

export type EndpointSpec = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Section of the interface document. */
  readonly section: string;
  /** Named in the document without a shape; the shape comes from observed behavior. */
  readonly source?: 'in practice';
  readonly only?: ProfileName;
  readonly query: ParameterSpecs;
  readonly body?: ParameterSpecs;
  readonly headers: readonly string[];
  readonly statuses: readonly number[];
  readonly answer?: AnswerSpec;
};

export type CoverageRowKind = 'path' | 'query' | 'body' | 'header' | 'status' | 'answer';

export type CoverageRow = {
  readonly endpoint: string;
  readonly kind: CoverageRowKind;
  /** `limit`, `command_type_name=GetOS`, `detail.NICS[].MAC`. */
  readonly name: string;
  readonly profiles: readonly ProfileName[];
  readonly source: 'document' | 'sample' | 'in practice';
  readonly type?: string;
};
