import { expect } from 'chai';
import type { HttpErrorCode } from '../../contracts/errors.ts';
import { printTable } from './print-table.ts';

/** The answer that the contract requires: the status of a success, or the status and code of an error. */
export type Expected = '200' | '201' | '202' | '204' | `${number} ${HttpErrorCode}`;

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

interface StateMatrix<T, O extends string> {
  readonly title: string;
  /** The calls that clients can make on an object. */
  readonly operations: Readonly<Record<O, (object: T) => Promise<Answer>>>;
  /** Operations that change the state when they succeed. If success is expected, the operation gets an object of its own. */
  readonly changing: readonly NoInfer<O>[];
  readonly states: Readonly<Record<string, State<T, NoInfer<O>>>>;
  /** Releases objects that are kept in a state, before the service stops. */
  readonly release?: () => unknown;
}

interface State<T, O extends string> {
  /** Creates an object and brings it to this state, as clients and workers do. */
  readonly reach: () => Promise<T>;
  readonly expected: Readonly<Record<O, Expected>>;
}

/** Defines one test for each pair of state and operation, and prints a table of all answers. */
export function testMatrix<T, O extends string>(matrix: StateMatrix<T, O>): void {
  const { title, operations, changing, states, release } = matrix;
  const names = Object.keys(operations) as O[];
  const answered = new Map<string, string>();

  describe(title, () => {
    for (const [state, { reach, expected }] of Object.entries(states)) {
      let shared: Promise<T> | undefined;
      const objectFor = (operation: O): Promise<T> => {
        if (changing.includes(operation) && expected[operation].startsWith('2')) return reach();
        shared ??= reach();
        return shared;
      };
      for (const operation of names)
        it(`${state}: ${operation} answers ${expected[operation]}`, async () => {
          const answer = describeAnswer(await operations[operation](await objectFor(operation)));
          answered.set(`${state} ${operation}`, answer);
          expect(answer).to.equal(expected[operation]);
        });
    }

    after(async () => {
      await release?.();
      const rows = Object.keys(states).map((state) => [
        state,
        ...names.map((operation) => answered.get(`${state} ${operation}`) ?? '-'),
      ]);
      printTable(title, [['', ...names], ...rows]);
    });
  });
}

const describeAnswer = ({ status, body }: Answer): string => {
  const { error } = (body ?? {}) as { error?: string };
  return error === undefined ? `${status}` : `${status} ${error}`;
};
