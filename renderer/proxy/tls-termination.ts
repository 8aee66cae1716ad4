import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { dayMs } from '../../contracts/units.ts';

/**
 * Certificates for the hosts of https URL deploys, so that the proxy can answer `/__payload` there. The private key never leaves
 * the worker. The browser trusts only this key, by its hash (`--ignore-certificate-errors-spki-list`).
 */
export interface Certificates {
  /** Base64 of the SHA-256 of the public key, for Chromium's flag. */
  readonly spkiHash: string;
  /** Returns the TLS context with the certificate of a host. */
  contextFor(host: string): Promise<SecureContext>;
}

/** Number of hosts whose certificates are kept. Creating one costs about 2 ms. */
const maxCertificates = 256;
/** Longer than a worker runs. Chromium refuses certificates that are valid for longer than 398 days. */
const validForMs = 90 * dayMs;
/** Allows for a clock that was set back. */
const validSinceMs = dayMs;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Creates a key for all certificates. A certificate is created when its host is first requested. */
export async function createCertificates(): Promise<Certificates> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const spki = await crypto.subtle.exportKey('spki', keys.publicKey);
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8.toString('base64')}\n-----END PRIVATE KEY-----\n`;
  const contexts = new LRUCache<string, Promise<SecureContext>>({ max: maxCertificates });

  const createContext = async (host: string): Promise<SecureContext> => {
    // Loaded with the first https URL: loading takes 150 ms, and most workers never need it.
    await import('reflect-metadata');
    const x509 = await import('@peculiar/x509');
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name: 'CN=document renderer',
      notBefore: new Date(Date.now() - validSinceMs),
      notAfter: new Date(Date.now() + validForMs),
      signingAlgorithm: algorithm,
      keys,
      extensions: [
        new x509.SubjectAlternativeNameExtension([
          { type: isIP(host) ? 'ip' : 'dns', value: host },
        ]),
      ],
    });
    return createSecureContext({ key, cert: certificate.toString('pem') });
  };

  return {
    spkiHash: createHash('sha256').update(Buffer.from(spki)).digest('base64'),
    contextFor: (host) => {
      const context = contexts.get(host) ?? createContext(host);
      contexts.set(host, context);
      return context;
    },
  };
}
