import { expect } from 'chai';
import { createApiKey, hasApiKeyFormat } from '../../store/secrets/api-key-format.ts';
import { hashSecret } from '../../store/secrets/hashes.ts';
import { createUploadTokens } from '../../store/secrets/upload-tokens.ts';

const [fresh, old, other] = ['fresh', 'old', 'other'].map((name) => name.repeat(8));
const session = 'ups_01jd2m5k8xe7v9q4t6w3r1n0ab';

describe('API keys', () => {
  it('are drs_, 30 random characters and 6 of checksum, and never the same', () => {
    const keys = Array.from({ length: 1_000 }, createApiKey);
    expect(new Set(keys)).to.have.lengthOf(keys.length);
    for (const key of keys) {
      expect(key).to.match(/^drs_[0-9A-Za-z]{36}$/);
      expect(hasApiKeyFormat(key)).to.equal(true);
    }
  });

  it('are distinguished from mistyped ones, wherever the mistake is', () => {
    const key = createApiKey();
    for (let at = 4; at < key.length; at++) {
      const wrong = key[at] === 'x' ? 'y' : 'x';
      expect(hasApiKeyFormat(key.slice(0, at) + wrong + key.slice(at + 1))).to.equal(false);
    }
  });

  for (const text of ['', 'drs_', 'x'.repeat(40), `${createApiKey()} `, createApiKey().slice(1)])
    it(`cannot be ${JSON.stringify(text).slice(0, 12)}…`, () =>
      expect(hasApiKeyFormat(text)).to.equal(false));

  it('are stored as a hash that does not reveal them', () => {
    const key = createApiKey();
    expect(hashSecret(key)).to.have.lengthOf(32);
    expect(hashSecret(key).toString('latin1')).not.to.include(key.slice(4));
  });
});

describe('upload tokens', () => {
  const tokens = createUploadTokens([fresh as string]);

  it('can be shown again, because a session always has the same token', () => {
    expect(tokens.create(session)).to.match(/^upt_[\w-]{43}$/);
    expect(tokens.create(session)).to.equal(tokens.create(session));
  });

  const wrong: [string, string][] = [
    ['of another session', tokens.create('ups_other')],
    ['signed by a key that is not ours', createUploadTokens([other as string]).create(session)],
    ['that is empty', ''],
    ['cut short', tokens.create(session).slice(0, -1)],
    ['with something added', `${tokens.create(session)}=`],
    ['that is the session itself', session],
  ];
  for (const [what, token] of wrong)
    it(`are not valid ${what}`, () => expect(tokens.isValid(session, token)).to.equal(false));

  it('stay valid during a rotation of the secret, and new ones are signed with the new secret', () => {
    const before = createUploadTokens([old as string]).create(session);
    const during = createUploadTokens([fresh as string, old as string]);
    expect(during.isValid(session, before)).to.equal(true);
    expect(during.create(session)).to.equal(tokens.create(session));
    expect(tokens.isValid(session, before)).to.equal(false);
  });
});
