/**
 * The words in which the interface is written down as data: what each endpoint takes and answers. Every
 * entry becomes a row of the coverage table, and every row is proven by a test of the same name.
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
  /** Text of digits. */
  | 'digits'
  /** `#RRGGBB` */
  | 'color'
  /** `YYYY-MM-DDThh:mm:ss+0000` */
  | 'device time'
  /** `YYYY-MM-DDThh:mm:ss.fffZ` as documented, `YYYY-MM-DDThh:mm:ss+0000` live. */
  | 'queue time'
  /** `YYYY-MM-DD hh:mm:ss.ffffff` as documented, `YYYY-MM-DDThh:mm:ssZ` live. */
  | 'event time';

/**
 * `or null`: the document says so. A question mark: the document does not, but the service has been seen to
 * send null or to leave the field out.
 */
export type FieldType = Base | `${Base} or null` | `${Base}?`;

/** Fields of an answer by their path: `detail.NICS[].MAC`. */
export type FieldTypes = Readonly<Record<string, FieldType>>;

export type ParameterSpec = {
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'array' | 'object' | 'integers' | 'strings';
  readonly required?: true;
  /** Bounds of a number. */
  readonly least?: number;
  /** Where the live service takes less. */
  readonly leastLive?: number;
  readonly most?: number;
  /** What holds where it is left out. */
  readonly otherwise?: number | 'organization of the key';
  /** Every value that is named, each a row of its own. */
  readonly values?: readonly string[];
  /** Those that came after the document: live only. */
  readonly newerValues?: readonly string[];
  /** In samples, or known from practice, and not in the document's list of parameters. */
  readonly source?: 'sample' | 'in practice';
  /** Where only one profile has it. */
  readonly only?: ProfileName;
};
export type ParameterSpecs = Readonly<Record<string, ParameterSpec>>;

export type AnswerSpec = {
  /** `page` is `{size, results}`. */
  readonly as: 'list' | 'one' | 'page';
  readonly shape: FieldTypes;
  /** Fields that the live service calls otherwise. */
  readonly older?: FieldTypes;
  /** Fields that came after the document: live only. */
  readonly newer?: FieldTypes;
};

export type EndpointSpec = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Of the interface document. */
  readonly section: string;
  /** Named there without a shape: shapes come from how the service is seen to behave. */
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
