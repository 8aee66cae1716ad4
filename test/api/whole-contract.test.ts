import { expect } from 'chai';
import { errors, type HttpErrorCode, jobErrorCodes } from '../../contracts/errors.ts';
import { errorsOf, type Route } from '../../contracts/rest/route.ts';
import { type OperationId, routes } from '../../contracts/rest/routes.ts';
import { codesOfAdmin, codesOfRest } from '../support/codes.ts';
import { describeAfterFolder } from '../support/whole-folder.ts';
import { recordedAnswersOf, recordedJobErrors, type StatusOrCode } from './observed.ts';
import { printTable } from './print-table.ts';
import { contractedCodes, contractedStatuses } from './rest-contract.ts';

const operations = Object.entries<Route>(routes) as [OperationId, Route][];

/** Lists the success status and the errors that a route declares. */
const declaredBy = (route: Route): StatusOrCode[] => [route.success.status, ...errorsOf(route)];

const statusOf = (answer: StatusOrCode): number =>
  typeof answer === 'number' ? answer : (errors[answer].status ?? 0);

const occurredAnywhere = (code: string): boolean =>
  recordedJobErrors.has(code) ||
  operations.some(([operation]) => recordedAnswersOf(operation).has(code as HttpErrorCode));

/** Compares what the suites of this folder were answered with what the contract promises: each promise was kept in some test. */
describeAfterFolder('the whole contract', import.meta.filename, () => {
  for (const [operation, route] of operations)
    it(`has occurred for ${operation}: each declared status and code`, () => {
      const seen = recordedAnswersOf(operation);
      const missing = declaredBy(route).filter((one) => !seen.has(one));
      expect(missing, 'declared, never seen').to.deep.equal([]);
    });

  for (const [endpoint, statuses] of Object.entries(contractedStatuses))
    it(`has occurred for ${endpoint} with the statuses of REST 4: ${statuses.join(', ')}`, () => {
      const [operation, route] = findRoute(endpoint);
      const declared = declaredBy(route).map(statusOf);
      const seen = [...recordedAnswersOf(operation)].map(statusOf);
      for (const status of statuses) {
        expect(declared, 'declared').to.include(status);
        expect(seen, 'seen').to.include(status);
      }
    });

  for (const code of codesOfRest)
    it(`has occurred with ${code}`, () => {
      expect(occurredAnywhere(code)).to.equal(true);
    });

  for (const [code, status] of Object.entries(contractedCodes))
    it(`has the code ${code} of REST 7 with its status`, () => {
      expect(errors).to.have.property(code);
      expect(errors[code as HttpErrorCode].status).to.equal(status);
    });

  after(() => {
    printTable('Declared errors that occurred, by status', tabulateStatuses());
    printTable('Codes beyond those that every route has', tabulateCodes());
    const jobs = jobErrorCodes.map((code) => mark(code, recordedJobErrors.has(code)));
    printTable('Codes of failed jobs and of the admin router', [
      ['errorCode of failed jobs', jobs.join(', ')],
      ['of the admin router only', codesOfAdmin.join(', ')],
    ]);
  });
});

/** Finds the operation of an endpoint such as `POST /deploys`. */
function findRoute(endpoint: string): [OperationId, Route] {
  const found = operations.find(
    ([, { method, path }]) => `${method.toUpperCase()} ${path}` === endpoint,
  );
  if (!found) throw new Error(`No route is ${endpoint}.`);
  return found;
}

const mark = (code: string | number, hasOccurred: boolean): string =>
  hasOccurred ? `${code}` : `${code} (never)`;

/** Makes a row for each route and a column for each status, with the number of declared codes that occurred. */
function tabulateStatuses(): string[][] {
  const statuses = [...new Set(operations.flatMap(([, route]) => declaredBy(route).map(statusOf)))];
  const columns = statuses.sort((a, b) => a - b);
  const rows = operations.map(([operation, route]) => {
    const seen = recordedAnswersOf(operation);
    return columns.map((status) => {
      const declared = declaredBy(route).filter((one) => statusOf(one) === status);
      const missing = declared.filter((one) => !seen.has(one));
      if (declared.length === 0) return '';
      return missing.length === 0
        ? `${declared.length}`
        : `${declared.length - missing.length}/${declared.length}`;
    });
  });
  return [
    ['', ...columns.map(String)],
    ...rows.map((row, index) => [operations[index]?.[0] ?? '', ...row]),
  ];
}

/** Makes a row for each route with the codes that not every route has. A code that never occurred is marked. */
function tabulateCodes(): string[][] {
  const common = errorsOf({ ...routes.listDeploys, errors: [] });
  return operations.map(([operation, route]) => {
    const own = errorsOf(route).filter((code) => !common.includes(code));
    return [
      operation,
      own.map((code) => mark(code, recordedAnswersOf(operation).has(code))).join(', '),
    ];
  });
}
