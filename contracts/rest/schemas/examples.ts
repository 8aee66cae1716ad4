import { exampleTime } from '../../fields.ts';
import { exampleId } from '../../ids.ts';

/** Values that the examples of several schemas share, so that all of them show the same job. */

export const exampleFile = { path: 'index.html', size: 5_120, mime: 'text/html' };

export const exampleTimes = { startedAt: exampleTime + 180, finishedAt: exampleTime + 1_240 };
export const exampleOutput = {
  bytes: 48_213,
  pageCount: 2,
  createdAt: exampleTimes.finishedAt,
};
/** Fields that a job and its managed PDF share. */
export const exampleRequest = {
  deployId: exampleId('deploy'),
  deployVersionId: exampleId('deployVersion'),
  businessKey: '2025-0042',
};
