select ts,r.name,tid from __intrinsic_chrome_raw r join thread using(utid);
