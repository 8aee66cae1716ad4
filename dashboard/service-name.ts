export const serviceName = 'Document rendering';
