import { Link } from 'react-router';
import { serviceName } from '../service-name.ts';
import classes from './brand.module.css';

/** The service's mark and name, which lead to the start. */
export const Brand = () => (
  <Link to="/" className={classes.brand}>
    <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width={24} height={24} />
    {serviceName}
  </Link>
);
