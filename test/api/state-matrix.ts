import { expect } from 'chai';
import type { HttpErrorCode } from '../../contracts/errors.ts';
import { printTable } from './print-table.ts';

/** What the contract answers: a success by its status, an error by status and code. */
export type Expected = '200' | '201' | '202' | '204' | `${number} ${HttpErrorCode}`;

interface Answered {
  readonly status: number;
  readonly body?: unknown;
}

interface StateMatrix<T, O extends string> {
  readonly of: string;
  /** What can be asked of an object. */
  readonly operations: Readonly<Record<O, (object: T) => Promise<Answered>>>;
  /** Those that leave the state when they succeed: each gets an object of its own. */
  readonly leaving: readonly NoInfer<O>[];
  readonly states: Readonly<Record<string, State<T, NoInfer<O>>>>;
  /** Lets go what was held in a state, before the service is stopped. */
  readonly release?: () => unknown;
}

interface State<T, O extends string> {
  /** A new object in this state, led there as clients and workers lead it. */
  readonly reach: () => Promise<T>;
  readonly expected: Readonly<Record<O, Expected>>;
}

/** Each state × each operation is one test, with the answer that the contract has for it; the matrix is printed. */
export function testMatrix<T, O extends string>(matrix: StateMatrix<T, O>): void {
  const { of, operations, leaving, states, release } = matrix;
  const names = Object.keys(operations) as O[];
  const answered = new Map<string, string>();

  describe(of, () => {
    for (const [state, { reach, expected }] of Object.entries(states)) {
      let shared: Promise<T> | undefined;
      const objectFor = (operation: O): Promise<T> => {
        if (leaving.includes(operation) && expected[operation].startsWith('2')) return reach();
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
      printTable(of, [['', ...names], ...rows]);
    });
  });
}

const describeAnswer = ({ status, body }: Answered): string => {
  const { error } = (body ?? {}) as { error?: string };
  return error === undefined ? `${status}` : `${status} ${error}`;
};
