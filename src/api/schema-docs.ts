import 'server-only';
import { msg } from '@lingui/core/macro';
import { describeFields } from '#lib/schema-docs.ts';
import { ErrorBody } from './error-body.ts';

export const named = {
  Error: describeFields(ErrorBody, {
    code: { description: msg`What went wrong; never changes, so programs can rely on it` },
    message: { description: msg`The same as a sentence, for people` },
    errors: { description: msg`All messages of the fields, in one list` },
    fields: { description: msg`What is wrong with each field, by its name` },
    request_id: { description: msg`Finds the request in the log` },
  }),
};
