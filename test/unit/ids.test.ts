import { expect } from 'chai';
import {
  hasIdPrefix,
  type IdKind,
  idPrefixes,
  newId,
  pathParameters,
} from '../../contracts/ids.ts';

const kinds = Object.keys(idPrefixes) as IdKind[];

describe('ids', () => {
  for (const kind of kinds)
    it(`makes ids of a ${kind} that start with ${idPrefixes[kind]}_`, () => {
      const id = newId(kind);
      expect(id).to.match(new RegExp(`^${idPrefixes[kind]}_[0-7][0-9a-z]{25}$`));
      expect(hasIdPrefix(id)).to.equal(true);
    });

  it('makes ids that sort by creation, so that lists can be ordered by them', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('renderJob'));
    expect(ids).to.deep.equal([...new Set(ids)].sort());
  });

  it('accepts new ids as path parameters', () => {
    expect(newId('deploy')).to.match(pathParameters.deployId.pattern);
    expect(newId('uploadSession')).to.match(pathParameters.uploadSessionId.pattern);
    expect(newId('renderJob')).to.match(pathParameters.jobId.pattern);
  });

  const malformed = [
    '',
    'job_',
    'job_01jd2m5k8xe7v9q4t6w3r1n0a',
    'job_01jd2m5k8xe7v9q4t6w3r1n0abc',
    'job_81jd2m5k8xe7v9q4t6w3r1n0ab',
    'job_01JD2M5K8XE7V9Q4T6W3R1N0AB',
    'dpl_01jd2m5k8xe7v9q4t6w3r1n0ab',
    'job_01jd2m5k8xe7v9q4t6w3r1n0ab\n',
    ' job_01jd2m5k8xe7v9q4t6w3r1n0ab',
    'job_01jd2m5k8xe7v9q4t6w3r1n0ai',
  ];
  for (const id of malformed)
    it(`does not accept ${JSON.stringify(id)} as the id of a job`, () => {
      expect(id).not.to.match(pathParameters.jobId.pattern);
    });

  it('has an example for each path parameter that matches its pattern', () => {
    for (const { pattern, example } of Object.values(pathParameters))
      expect(example).to.match(pattern);
  });
});
